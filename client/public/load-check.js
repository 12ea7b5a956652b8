// Says so where the program of this page did not start, and tries again for ever: a display on the wall is unattended.
// The program may be unable to run, so this file has old syntax only, texts of its own, and is loaded asynchronously,
// so that it never delays the program. The versions are those of docs/guides/running.md.
(function () {
  var DRAWN_WITHIN_MS = 5000;
  var RETRY_MS = 30000;
  var OLDEST = "It needs Chrome or Edge 120, Firefox 121, Safari 17.4, or newer.";
  var root = document.getElementById("root") || document.getElementById("wall");
  var text = document.createElement("p");
  text.setAttribute("role", "alert");
  text.style.cssText = "margin:20vh auto;max-width:36em;padding:0 1em;font:1.2em/1.5 sans-serif";

  // What the first screen needs. Without it some of the program runs, and would blame the server.
  var runs =
    "noModule" in document.createElement("script") &&
    window.AbortSignal &&
    AbortSignal.timeout &&
    [].toSorted &&
    (root.id === "wall" || Map.groupBy);
  if (!runs) {
    text.textContent = "This browser is too old for Watchfloor. " + OLDEST;
    root.parentNode.replaceChild(text, root);
    return;
  }

  function check() {
    if (root.firstChild) return;
    text.textContent = "Watchfloor could not be loaded. It tries again every 30 seconds. " + OLDEST;
    root.appendChild(text);
    setInterval(retry, RETRY_MS);
  }

  // Only once the server answers the page: a reload without it would end in the browser's own error page. The files are
  // read past the browser's cache, which may hold what a proxy sent in their place.
  function retry() {
    fetch(location.href, { cache: "reload" }).then(function (page) {
      if (!page.ok) return;
      var scripts = document.querySelectorAll("script[src], link[rel=modulepreload]");
      var reads = [].map.call(scripts, function (file) {
        return fetch(file.src || file.href, { cache: "reload" }).then(read, read);
      });
      Promise.all(reads).then(function () {
        if (root.firstChild === text) location.reload();
      });
    }, read);
  }

  function read() {}

  // All scripts of the page have run, or failed, when it has loaded.
  function checkSoon() {
    setTimeout(check, DRAWN_WITHIN_MS);
  }
  if (document.readyState === "complete") checkSoon();
  else addEventListener("load", checkSoon);
})();
