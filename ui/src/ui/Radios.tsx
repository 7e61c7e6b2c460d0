// Radio buttons under a heading of their own.
import { type ReactNode, useId } from 'react'
import { cx } from './cx'
import styles from './Field.module.css'

interface Props<T extends string> {
  label: string
  value: T
  choices: readonly { value: T; text: ReactNode }[]
  onChange: (value: T) => void
}

export function Radios<T extends string>({ label, value, choices, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="stack tight">
      <legend className={cx('vh')}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={cx(styles.check, 'sm')}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  )
}
