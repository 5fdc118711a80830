/* Shows why the page could not start. It must run in any browser, so it is in the oldest syntax. */
(function () {
  function stopped(event) {
    var reason = event && (event.message || (event.reason && String(event.reason)));
    if (document.body.hasAttribute("data-position")) return;
    document.documentElement.className = "stopped";
    document.getElementById("problem").textContent = reason || "";
  }
  addEventListener("error", stopped);
  addEventListener("unhandledrejection", stopped);
  if (!("noModule" in document.createElement("script"))) stopped();
})();
