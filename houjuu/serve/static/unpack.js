// @ts-check
/* The page in its language: of the templates the one that the browser prefers. */
{
  const templates = [...document.querySelectorAll("template")];
  const asked = new URLSearchParams(location.search).get("lang");
  const languages = [asked, ...navigator.languages].map((name) => name?.slice(0, 2));
  const chosen =
    languages
      .map((name) => templates.find((template) => template.dataset.language === name))
      .find(Boolean) ?? templates[0];
  document.documentElement.lang = chosen.lang;
  document.body.append(chosen.content);
  document.title = document.querySelector("h1")?.textContent ?? "";
  for (const link of document.querySelectorAll("nav a"))
    if (link instanceof HTMLAnchorElement) link.hash = location.hash;
}
