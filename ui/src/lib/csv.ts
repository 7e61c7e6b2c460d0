// Rows as CSV, for spreadsheets. Titles and names come from strangers: what would begin a formula gets an apostrophe.
export type Cell = string | number | undefined

const BOM = '\uFEFF'
const FORMULA = /^[=+\-@\t\r]/

function cellText(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  BOM + rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')

/** The day of an instant, as spreadsheets read it. */
export const dayOf = (when: string | undefined): string => when?.slice(0, 10) ?? ''
