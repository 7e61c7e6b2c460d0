// Label, field, help or error.
import type { HTMLInputTypeAttribute, Ref } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField'
import { useText } from '#/i18n/text'
import { cx } from './cx'
import styles from './Field.module.css'

interface Props extends Omit<TextFieldProps, 'className' | 'children' | 'type'> {
  label: string
  help?: string
  /** What is wrong and what to do, as a sentence. */
  error?: string
  /** Marked "(needed)" or "(optional)": the rarer kind of the form. */
  mark?: 'needed' | 'optional'
  type?: HTMLInputTypeAttribute
  lines?: boolean
  inputRef?: Ref<HTMLInputElement>
  grow?: boolean
}

export function TextField({
  label,
  help,
  error,
  mark,
  type,
  lines,
  inputRef,
  grow,
  ...rest
}: Props) {
  const t = useText()
  return (
    <AriaTextField
      {...rest}
      className={cx(styles.field, grow && 'grow')}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <Label>
        {label}
        {mark ? (
          <span className={styles.req}>
            {' '}
            {t(mark === 'needed' ? 'shell.needed' : 'shell.optional')}
          </span>
        ) : null}
      </Label>
      {lines ? (
        <TextArea className={styles.input ?? ''} dir="auto" />
      ) : (
        <Input className={styles.input ?? ''} type={type} ref={inputRef} dir="auto" />
      )}
      {help && !error ? (
        <Text slot="description" className={styles.help}>
          {help}
        </Text>
      ) : null}
      {error ? <FieldError className={styles.err ?? ''}>{error}</FieldError> : null}
    </AriaTextField>
  )
}
