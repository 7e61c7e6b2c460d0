// A day, or a day with its time, as the browser's own field: segments by keyboard, the calendar on demand, in the
// person's language. Values are ISO texts; a day is its first or last moment here.
import { isoOf, localOf } from '#/desk/localTime'
import { TextField } from './TextField'

interface Props {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** With the time of day. */
  time?: boolean
  /** A day ends at 23:59: until when something holds. */
  endOfDay?: boolean
  id?: string
  help?: string
  error?: string
  mark?: 'needed' | 'optional'
}

export function DateField({ label, value, onChange, time, endOfDay, ...rest }: Props) {
  const shown = value && !Number.isNaN(Date.parse(value)) ? localOf(new Date(value)) : ''
  const change = (text: string) => {
    if (!text) return onChange(undefined)
    onChange(isoOf(time ? text : `${text}T${endOfDay ? '23:59:59' : '00:00:00'}`))
  }
  return (
    <TextField
      {...rest}
      label={label}
      type={time ? 'datetime-local' : 'date'}
      value={time ? shown : shown.slice(0, 10)}
      onChange={change}
    />
  )
}
