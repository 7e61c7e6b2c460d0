// Some of up to some dozens of choices; none chosen stands for all of them.
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Text } from 'react-aria-components/Text'
import { useFormats } from '#/lib/format'
import { cx } from './cx'
import styles from './Field.module.css'
import { Icon } from './Icon'
import menu from './Menu.module.css'

interface Props {
  label: string
  help?: string
  value: readonly string[]
  choices: readonly { value: string; text: string }[]
  /** What no choice stands for. */
  all: string
  onChange: (value: string[]) => void
}

export function SelectSome({ label, help, value, choices, all, onChange }: Props) {
  const { list } = useFormats()
  const chosen = choices.filter((one) => value.includes(one.value)).map(({ text }) => text)
  return (
    <AriaSelect
      className={styles.field ?? ''}
      selectionMode="multiple"
      value={value}
      onChange={(keys) => onChange(keys.map(String))}
      allowsEmptyCollection
    >
      <Label>{label}</Label>
      <Button className={cx(styles.input, styles.select)}>
        <SelectValue>{() => (chosen.length ? list(chosen) : all)}</SelectValue>
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
              {({ isSelected }) => (
                <>
                  <bdi>{choice.text}</bdi>
                  {isSelected ? (
                    <span className="push">
                      <Icon name="check" />
                    </span>
                  ) : null}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
