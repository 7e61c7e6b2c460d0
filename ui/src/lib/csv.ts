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

/** The cells of a CSV as a spreadsheet saves it: with commas, semicolons or tabs, whichever its first line has. */
export function rowsOfCsv(file: string): string[][] {
  const text = file.replace(/^\uFEFF/, '')
  const head = text.split(/\r?\n/, 1)[0] ?? ''
  const count = (mark: string) => head.split(mark).length
  const mark = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const end = () => {
    // What csvOf has marked as no formula.
    rows.at(-1)?.push(/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === mark) end()
    else if (sign === '\n') {
      end()
      rows.push([])
    } else if (sign !== '\r') cell += sign
  }
  if (cell !== '' || rows.at(-1)?.length) end()
  return rows.filter((row) => row.some((one) => one.trim()))
}
