// One of many records: typed words are looked up at the server, what fits is listed. The list never claims to be
// whole: typing more narrows it.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Text } from 'react-aria-components/Text'
import { useText } from '#/i18n/text'
import { cx } from './cx'
import field from './Field.module.css'
import { Icon } from './Icon'
import styles from './Lookup.module.css'
import menu from './Menu.module.css'
import { StayingPopover } from './StayingPopover'

export interface Option {
  id: string
  text: string
  detail?: string
}

interface Props {
  label: string
  help?: string
  error?: string
  id?: string
  mark?: 'needed' | 'optional'
  value: Option | undefined
  onChange: (option: Option | undefined) => void
  /** Names the list in the cache. */
  list: string
  search: (words: string, signal: AbortSignal) => Promise<Option[]>
  /** What is chosen already is not offered again. */
  without?: readonly string[]
  autoFocus?: boolean
}

const PAUSE_MS = 200

export function Lookup(props: Props) {
  const { label, help, error, id, mark, value, onChange, list, search, without, autoFocus } = props
  const t = useText()
  const [text, setText] = useState(value?.text ?? '')
  const [words, setWords] = useState('')
  useEffect(() => setText(value?.text ?? ''), [value?.text])
  useEffect(() => {
    // The name of what was chosen is no search.
    if (text === value?.text) return
    const timer = setTimeout(() => setWords(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value?.text])
  const { data, isFetching } = useQuery({
    queryKey: ['options', list, words],
    queryFn: ({ signal }) => search(words, signal),
    staleTime: 30_000,
  })
  const items = (data ?? []).filter((one) => !without?.includes(one.id))
  // React Aria keeps its own choice: a controlled one, whose list changes with what is typed, opens the list again.
  const choose = (key: unknown) => {
    const option = items.find((one) => one.id === key)
    if (option) onChange(option)
  }
  const type = (next: string) => {
    setText(next)
    if (!next && value) onChange(undefined)
  }
  return (
    <ComboBox
      id={id}
      className={field.field ?? ''}
      inputValue={text}
      onInputChange={type}
      // What was typed and not chosen goes when the field is left.
      onBlur={() => setText(value?.text ?? '')}
      allowsCustomValue
      items={items}
      onSelectionChange={choose}
      isInvalid={Boolean(error)}
      allowsEmptyCollection
      menuTrigger="input"
      autoFocus={autoFocus}
      validationBehavior="aria"
    >
      <Label>
        {label}
        {mark ? (
          <span className={field.req}>
            {' '}
            {t(mark === 'needed' ? 'shell.needed' : 'shell.optional')}
          </span>
        ) : null}
      </Label>
      <div className={styles.box}>
        <Input className={field.input ?? ''} dir="auto" />
        <Button className={styles.open ?? ''}>
          <Icon name="chevron-down" />
        </Button>
      </div>
      {help && !error ? (
        <Text slot="description" className={field.help}>
          {help}
        </Text>
      ) : null}
      <FieldError className={field.err ?? ''}>{error}</FieldError>
      <StayingPopover>
        <ListBox<Option>
          className={cx(menu.menu, menu.list)}
          renderEmptyState={() => (
            <span className={cx('sm muted', styles.none)}>
              {isFetching ? t('shell.searching') : t('shell.nothingFound')}
            </span>
          )}
        >
          {(option) => (
            <ListBoxItem textValue={option.text}>
              {/* The detail is part of the name: what is seen is what is read. */}
              <Text slot="label" className={cx('grow', menu.words)}>
                <bdi>{option.text}</bdi>
                {option.detail ? <bdi className="xs muted"> {option.detail}</bdi> : null}
              </Text>
            </ListBoxItem>
          )}
        </ListBox>
      </StayingPopover>
    </ComboBox>
  )
}
