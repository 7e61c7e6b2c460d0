// The opening hours of a calendar: every week, and the days that are otherwise.
import type { Field } from './kinds'
import type { Values } from './paths'

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

const CHOICES = [
  { value: 'MONDAY', text: 'set.day.monday' },
  { value: 'TUESDAY', text: 'set.day.tuesday' },
  { value: 'WEDNESDAY', text: 'set.day.wednesday' },
  { value: 'THURSDAY', text: 'set.day.thursday' },
  { value: 'FRIDAY', text: 'set.day.friday' },
  { value: 'SATURDAY', text: 'set.day.saturday' },
  { value: 'SUNDAY', text: 'set.day.sunday' },
] as const

const after = (day: unknown) => DAYS[(DAYS.indexOf(String(day)) + 1) % DAYS.length]

/** The same hours a day later: a week is written by its first day and some clicks. */
export const nextHours = (rows: readonly Values[]): Values => {
  const last = rows.at(-1)
  if (!last) return { startDay: 'MONDAY', startTime: '09:00', endDay: 'MONDAY', endTime: '17:00' }
  return { ...last, startDay: after(last.startDay), endDay: after(last.endDay) }
}

export const SERVED: Field = {
  name: 'assignments',
  label: 'set.servedPoints',
  type: 'refs',
  of: { path: '/service-points', key: 'servicepoints', name: 'name' },
}

export const HOURS: Field = {
  name: 'normalHours',
  label: 'set.openEveryWeek',
  type: 'rows',
  add: 'set.addHours',
  next: nextHours,
  fields: [
    { name: 'startDay', label: 'set.opensOn', type: 'select', choices: CHOICES, needed: true },
    { name: 'startTime', label: 'set.opensAt', type: 'time', needed: true },
    { name: 'endDay', label: 'set.closesOn', type: 'select', choices: CHOICES, needed: true },
    { name: 'endTime', label: 'set.closesAt', type: 'time', needed: true },
  ],
}

export const EXCEPTIONS: Field = {
  name: 'exceptions',
  label: 'set.exceptions',
  type: 'rows',
  add: 'set.addException',
  next: () => ({ openings: [] }),
  fields: [
    { name: 'name', label: 'set.occasion', type: 'text', needed: true },
    { name: 'startDate', label: 'set.from', type: 'date', needed: true },
    { name: 'endDate', label: 'set.to', type: 'date', needed: true },
    {
      name: 'openings',
      label: 'set.openThen',
      type: 'rows',
      add: 'set.addHours',
      next: (rows) => rows.at(-1) ?? {},
      fields: [
        { name: 'startDate', label: 'set.opensOn', type: 'date', needed: true },
        { name: 'startTime', label: 'set.opensAt', type: 'time', needed: true },
        { name: 'endDate', label: 'set.closesOn', type: 'date', needed: true },
        { name: 'endTime', label: 'set.closesAt', type: 'time', needed: true },
      ],
    },
  ],
}
