// @ts-check
/* Shows why the page could not start. It must run in any browser, so it is in the oldest syntax. */
(function () {
  /** @param {{ message?: string, reason?: unknown }} [event] */
  function stopped(event) {
    var reason = event && (event.message || (event.reason ? String(event.reason) : ""));
    var problem = document.getElementById("problem");
    if (document.body.hasAttribute("data-position") || !problem) return;
    document.documentElement.className = "stopped";
    problem.textContent = reason || "";
  }
  addEventListener("error", stopped);
  addEventListener("unhandledrejection", stopped);
  if (!("noModule" in document.createElement("script"))) stopped();
})();
