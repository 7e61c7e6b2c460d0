// A refusal that staff may override: comment, and a due date where no policy gives one. Enter in the
// last field is answer 1; a scan meanwhile makes its own row, the text stays.
import { type FormEvent, useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { TextField } from '#/ui/TextField'
import styles from '../desk.module.css'
import { isoOf, localOf } from '../localTime'
import type { Question } from '../types'
import { useCardKeys } from '../useCardKeys'
import { askedOf } from '../words'
import type { CardProps } from './DecisionCard'

type Override = Extract<Question, { kind: 'override' }>

export function OverrideCard({
  scan,
  session,
  act,
  field,
  question,
}: CardProps & { question: Override }) {
  const t = useText()
  const formats = useFormats()
  const needsDate = question.blocks.includes('itemNotLoanableBlock')
  const [comment, setComment] = useState('')
  const [due, setDue] = useState(() => localOf(Date.now() + 24 * 3600_000))
  const [tried, setTried] = useState(false)
  const [sentence, consequence] = askedOf(question, t, formats, act)
  const locked = question.missing.length
    ? t('shell.needsPermission', { permission: question.missing.join(', ') })
    : undefined
  const lend = () => {
    setTried(true)
    if (locked || !comment.trim()) return
    session.answer(scan.id, {
      override: {
        blocks: question.blocks,
        comment: comment.trim(),
        dueDate: needsDate ? isoOf(due) : undefined,
      },
    })
    field.current?.focus()
  }
  const leave = () => {
    session.update(scan.id, (one) => ({ ...one, state: 'refused', questions: [] }))
    field.current?.focus()
  }
  const armed = useCardKeys({
    keys: ['1', 'Esc'],
    onKey: (key) => (key === '1' ? lend() : leave()),
    field,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    lend()
  }
  return (
    <form className={cx(styles['card-in'], styles.low)} onSubmit={submit}>
      <div className={styles.across}>
        <p className="strong">{sentence}</p>
        <p className={styles.why}>{consequence}</p>
      </div>
      <div className="row wrap top">
        {needsDate ? (
          <TextField
            label={t('desk.dueLabel')}
            type="datetime-local"
            value={due}
            onChange={setDue}
          />
        ) : null}
        <TextField
          grow
          label={t('desk.comment')}
          mark="needed"
          value={comment}
          onChange={setComment}
          error={tried && !comment.trim() && !locked ? t('desk.commentNeeded') : undefined}
        />
      </div>
      <div className={styles.answers}>
        <Button
          kind="primary"
          keys="1"
          keysFirst
          type="submit"
          arming={armed === '1'}
          disabled={locked}
        >
          {t('desk.answer.lend')}
        </Button>
        <Button kind="quiet" keys="Esc" keysFirst onPress={leave}>
          {t('desk.answer.dontLend')}
        </Button>
      </div>
      {locked ? <p className={cx(styles.across, 'sm soft')}>{locked}</p> : null}
    </form>
  )
}
