// Sorting and searching of the table of features. The rows that the page shows without scripts are
// its first ones; the others wait in the element `rest`, see pack_rows() of the package.
(function () {
  "use strict";
  var table = document.getElementById("features");
  var packed = document.getElementById("rest");
  if (!table || !packed) return;
  var body = table.tBodies[0], heads = [].slice.call(table.tHead.rows[0].cells);
  var rest = JSON.parse(packed.textContent), first = body.rows.length, size = Math.max(first, 25);

  function repeated(tokens) {
    var out = [];
    tokens.forEach(function (token) {
      var parts = token.split("*"), times = parts.length > 1 ? +parts[1] : 1;
      while (times--) out.push(parts[0]);
    });
    return out;
  }
  function unpacked(column) {
    if (rest.rows === 0) return [];
    if (column.lines !== undefined) return column.lines.split("\n");
    return repeated(column.numbers.split(" ")).map(function (text) {
      return column.kinds ? column.kinds[+text] : text === "-" ? "" : text;
    });
  }
  var columns = heads.map(function (head, j) {
    var shown = [].map.call(body.rows, function (row) { return row.cells[j].textContent; });
    return shown.concat(unpacked(rest.columns[j]));
  });
  var classes = [].map.call(body.rows[0].cells, function (cell) { return cell.className; });
  var texts = heads.map(function (head) { return head.classList.contains("text"); });
  var total = columns[0].length, all = columns[0].map(function (value, i) { return i; });
  var names = columns[1].map(function (name) { return name.toLowerCase(); });
  var words = all.map(function (i) {
    var parts = columns.filter(function (column, j) { return texts[j]; });
    return parts.map(function (column) { return column[i]; }).concat(rest.also[i] || [])
      .join(" ").toLowerCase();
  });

  // What is shown: rows in their order, from one of them on.
  var sorted = { by: 0, up: true }, order = all, found = all, asked = "", from = 0;
  function plain() { return found === all && sorted.by === 0 && sorted.up; }
  function last() { return from === 0 && plain() ? first : Math.min(from + size, found.length); }

  function key_of(text, j) {
    if (text === "" || texts[j]) return text === "" ? null : text.toLowerCase();
    var value = parseFloat(text.replace(/[<,]/g, "").replace("Inf", "Infinity"));
    return isNaN(value) ? null : value;
  }
  // Blanks are last in both directions; what is equal stays in the order of ranks.
  function sort(j, up) {
    var key = columns[j].map(function (text) { return key_of(text, j); });
    sorted = { by: j, up: up };
    order = all.slice().sort(function (a, b) {
      var x = key[a], y = key[b];
      if (x === y) return a - b;
      if (x === null || y === null) return x === null ? 1 : -1;
      return (x < y) === up ? -1 : 1;
    });
    if (j === 0 && up) order = all;
    find();
  }
  // All words of the search are in the row; whole names come first, then beginnings of names.
  function find() {
    var parts = asked.split(/\s+/).filter(Boolean);
    found = order;
    if (parts.length) {
      var groups = [[], [], []];
      order.forEach(function (i) {
        if (!parts.every(function (part) { return words[i].indexOf(part) >= 0; })) return;
        groups[names[i] === asked ? 0 : names[i].indexOf(asked) === 0 ? 1 : 2].push(i);
      });
      found = [].concat.apply([], groups);
    }
    from = 0;
    draw();
  }

  function number(value) { return value.toLocaleString("en"); }
  function report() {
    if (found.length) {
      return number(from + 1) + " to " + number(last()) + " of " + number(found.length) +
        (found.length < total ? ", found among " + number(total) : "");
    }
    return "No feature has this name, of the " + number(total) + " on this page" +
      (rest.left_out ? "; " + number(rest.left_out) + " are not on it." : ".");
  }
  function draw() {
    var rows = document.createDocumentFragment();
    found.slice(from, last()).forEach(function (i) {
      var row = document.createElement("tr");
      if (i < rest.listed) row.className = "listed";
      columns.forEach(function (column, j) {
        var cell = document.createElement("td");
        cell.className = classes[j];
        cell.textContent = column[i];
        row.appendChild(cell);
      });
      rows.appendChild(row);
    });
    body.textContent = "";
    body.appendChild(rows);
    heads.forEach(function (head, j) {
      if (j !== sorted.by) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
    });
    info.textContent = report();
    back.disabled = from === 0;
    next.disabled = last() >= found.length;
  }

  function element(tag, text, parent, type) {
    var made = document.createElement(tag);
    made.textContent = text;
    if (type) made.type = type;
    parent.appendChild(made);
    return made;
  }
  // The first page may have fewer rows than the others.
  var turned = [];
  function turn(on) {
    if (on) { turned.push(from); from = last(); } else from = turned.length ? turned.pop() : 0;
    draw();
  }
  var wide = table.closest(".wide"), above = document.createElement("p");
  var below = document.createElement("p");
  above.className = "find";
  below.className = "turn";
  wide.parentNode.insertBefore(above, wide);
  wide.parentNode.insertBefore(below, wide.nextSibling);
  var input = element("input", "", element("label", "Find a feature: ", above), "search");
  var info = element("span", "", below);
  info.setAttribute("aria-live", "polite");
  var back = element("button", "Back", below, "button");
  var next = element("button", "Next", below, "button");
  back.addEventListener("click", function () { turn(false); });
  next.addEventListener("click", function () { turn(true); });
  input.addEventListener("input", function () {
    asked = input.value.trim().toLowerCase();
    turned = [];
    find();
  });
  heads.forEach(function (head, j) {
    var button = document.createElement("button");
    button.type = "button";
    while (head.firstChild) button.appendChild(head.firstChild);
    head.appendChild(button);
    button.addEventListener("click", function () {
      turned = [];
      sort(j, sorted.by === j ? !sorted.up : texts[j] || j === 0);
    });
  });
  document.querySelector(".searched").removeAttribute("hidden");
  // Below this script, thus not yet there.
  document.addEventListener("DOMContentLoaded", function () {
    [].forEach.call(document.querySelectorAll(".unlisted"), function (note) {
      note.classList.add("paper");
    });
  });
  // Paper gets the first rows in their order.
  window.addEventListener("beforeprint", function () {
    input.value = asked = "";
    turned = [];
    sort(0, true);
  });
  draw();
})();
