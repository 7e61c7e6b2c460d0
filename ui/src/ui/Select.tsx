// One of up to some dozens of fixed choices.
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Text } from 'react-aria-components/Text'
import { cx } from './cx'
import styles from './Field.module.css'
import { Icon } from './Icon'
import menu from './Menu.module.css'

interface Props<T extends string> {
  label: string
  /** The label is read only: what stands before says what it is about. */
  labelHidden?: boolean
  help?: string
  placeholder?: string
  value: T | undefined
  choices: readonly { value: T; text: string }[]
  onChange: (value: T) => void
  autoFocus?: boolean
}

export function Select<T extends string>(props: Props<T>) {
  const { label, labelHidden, help, placeholder, value, choices, onChange, autoFocus } = props
  return (
    <AriaSelect
      className={styles.field ?? ''}
      selectedKey={value ?? null}
      onSelectionChange={(key) => key !== null && onChange(key as T)}
      placeholder={placeholder}
      autoFocus={autoFocus}
      // Opened before its choices are here it gets them then; otherwise the press would do nothing.
      allowsEmptyCollection
    >
      <Label className={labelHidden ? 'vh' : undefined}>{label}</Label>
      <Button className={cx(styles.input, styles.select)}>
        <SelectValue />
        <Icon name="chevron-down" />
      </Button>
      {help ? (
        <Text slot="description" className={styles.help}>
          {help}
        </Text>
      ) : null}
      <Popover className={menu.popover ?? ''}>
        <ListBox className={cx(menu.menu, menu.list)}>
          {choices.map((choice) => (
            <ListBoxItem key={choice.value} id={choice.value} textValue={choice.text}>
              {choice.text}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
