// Two to four choices of which one is on.
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import styles from './Segmented.module.css'

interface Props<T extends string> {
  label: string
  value: T
  choices: readonly { value: T; text: string }[]
  onChange: (value: T) => void
}

export function Segmented<T extends string>({ label, value, choices, onChange }: Props<T>) {
  return (
    <ToggleButtonGroup
      className={styles.seg ?? ''}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined) onChange(key as T)
      }}
    >
      {choices.map((choice) => (
        <ToggleButton key={choice.value} id={choice.value}>
          {choice.text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
