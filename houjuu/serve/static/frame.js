// @ts-check
/* In the frame of a review: the page around it hears that it is shown, and opens its links. */
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const href = link?.getAttribute("href");
  if (!href || href.startsWith("#") || /^[a-z]+:/.test(href)) return;
  event.preventDefault();
  parent.postMessage(href, "*");
});
parent.postMessage("", "*");
