// Details are open where there are no scripts, and on paper.
(function () {
  "use strict";
  function set(open) {
    [].forEach.call(document.querySelectorAll("details"), function (part) { part.open = open; });
  }
  set(false);
  window.addEventListener("beforeprint", function () { set(true); });
  window.addEventListener("afterprint", function () { set(false); });
})();
