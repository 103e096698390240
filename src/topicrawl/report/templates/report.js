
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const table = head.closest("table");
    const body = table.tBodies[0];
    const numeric = head.classList.contains("n");
    const first = numeric ? "descending" : "ascending";
    const other = numeric ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    const value = (row) => row.cells[head.cellIndex].dataset.value ?? row.cells[head.cellIndex].textContent;
    const compare = numeric
      ? (a, b) => Number(value(a)) - Number(value(b))
      : (a, b) => value(a).localeCompare(value(b));
    const rows = [...body.rows].sort((a, b) => sign * compare(a, b));
    for (const each of table.querySelectorAll("th")) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    body.replaceChildren(...rows);
  });
}
