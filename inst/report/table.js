// Sorting and searching of the table of features. The rows that the page shows without scripts are
// its first ones; the others wait in the element `rest`.
(function ($) {
  var table = document.getElementById("features");
  if (!table || !$ || !$.fn.DataTable) return;
  var shown = table.tBodies[0].rows.length;
  var rest = JSON.parse(document.getElementById("rest").textContent);
  var numbers = [], texts = [];
  $("th", table).each(function (i) { (this.className === "text" ? texts : numbers).push(i); });
  var all = $(table).DataTable({
    pageLength: shown, lengthChange: false, autoWidth: false, deferRender: true,
    dom: "f<'wide't>ip",
    order: [[0, "asc"]],
    columnDefs: [{ targets: numbers, searchable: false }, { targets: texts, className: "text" }],
    language: {
      search: "Find a feature:", info: "_START_ to _END_ of _TOTAL_", infoEmpty: "None",
      infoFiltered: "found among _MAX_", zeroRecords: "No feature of this page has this name.",
      paginate: { previous: "Back", next: "Next" },
      aria: { sortAscending: ": sort, smallest first", sortDescending: ": sort, largest first" }
    }
  });
  all.rows.add(rest).draw();
  // Scrolling is that of the inner element, so that the search stays where it is.
  $(table).closest(".dataTables_wrapper").parent().removeClass("wide").removeAttr("tabindex role");
  $(table).parent().attr({ tabindex: 0, role: "region", "aria-label": "Table" });
  $(".searched").removeAttr("hidden");
  // Below this script, thus not yet there.
  $(function () { $(".unlisted").addClass("paper"); });
  // Paper gets the first rows in their order.
  window.addEventListener("beforeprint", function () {
    all.search("").order([[0, "asc"]]).page(0).draw();
  });
})(window.jQuery);
