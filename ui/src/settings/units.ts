// Units of time, under FOLIO's names.
export const UNITS = [
  { value: 'Minutes', text: 'set.minutes' },
  { value: 'Hours', text: 'set.hours' },
  { value: 'Days', text: 'set.days' },
  { value: 'Weeks', text: 'set.weeks' },
  { value: 'Months', text: 'set.months' },
] as const
