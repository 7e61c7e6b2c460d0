// Between instants and the text of a datetime-local field, in the browser's time zone.
const two = (value: number) => String(value).padStart(2, '0')

export function localOf(when: number | Date): string {
  const date = new Date(when)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** undefined for what is no date. */
export function isoOf(local: string): string | undefined {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
