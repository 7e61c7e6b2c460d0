// A refused scan: try again, override, answer, or drop it with a reason.
import { useId, useState } from 'react'
import { isoOf, localOf } from '#/desk/localTime'
import type { Answers } from '#/desk/types'
import { askedOf } from '#/desk/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { queue } from '#/offline/queue'
import type { Kept } from '#/offline/types'
import { sendNow } from '#/offline/watch'
import { whyRefused } from '#/offline/words'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import { Drop } from './Drop'
import styles from './offline.module.css'

const DAY_MS = 24 * 3600_000

export function WorkOff({ row: { entry, result } }: { row: Kept }) {
  const t = useText()
  const formats = useFormats()
  const heading = useId()
  const [dropping, setDropping] = useState(false)
  const [comment, setComment] = useState('')
  const [due, setDue] = useState(() => localOf(Date.now() + DAY_MS))
  const [tried, setTried] = useState(false)
  const question = result?.question
  const again = async (answers?: Answers) => {
    await queue.settle({
      id: entry.id,
      state: 'ready',
      at: Date.now(),
      answers: { ...result?.answers, ...answers },
    })
    await sendNow()
  }
  if (dropping) return <Drop id={entry.id} onBack={() => setDropping(false)} />
  const isOverride = question?.kind === 'override'
  const needsDate = isOverride && question.blocks.includes('itemNotLoanableBlock')
  const locked =
    isOverride && question.missing.length
      ? t('shell.needsPermission', { permission: question.missing.join(', ') })
      : undefined
  const override = () => {
    setTried(true)
    if (!isOverride || !comment.trim()) return
    void again({
      override: {
        blocks: question.blocks,
        comment: comment.trim(),
        dueDate: needsDate ? isoOf(due) : undefined,
      },
    })
  }
  const [sentence, why] = question
    ? askedOf(question, t, formats, entry.kind === 'checkOut' ? 'checkOut' : 'checkIn')
    : [whyRefused(result, t), '']
  const detail = result?.refusal?.detail
  return (
    <section className={styles.card} aria-labelledby={heading}>
      <div>
        <p className="strong" id={heading} dir="auto">
          {sentence}
        </p>
        {why ? (
          <p className="sm soft" dir="auto">
            {why}
          </p>
        ) : null}
        {detail && detail !== sentence && detail !== why ? (
          <details>
            <summary className="sm">{t('shell.details')}</summary>
            <p className="sm soft" dir="auto">
              {detail}
            </p>
          </details>
        ) : null}
        <p className="sm muted">
          {t('offline.by', {
            time: formats.dayTime(entry.at),
            desk: entry.desk.name,
            name: entry.staff.name,
          })}
        </p>
      </div>
      {isOverride ? (
        <div className={styles.fields}>
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
      ) : null}
      <div className="row wrap">
        {isOverride ? (
          <Button disabled={locked} onPress={override}>
            {t('offline.override')}
          </Button>
        ) : null}
        {question?.kind === 'claimedReturned' ? (
          <>
            <Button onPress={() => void again({ claimedReturned: 'Found by library' })}>
              {t('desk.answer.found')}
            </Button>
            <Button onPress={() => void again({ claimedReturned: 'Returned by patron' })}>
              {t('desk.answer.brought')}
            </Button>
          </>
        ) : (
          <Button kind="quiet" icon="rotate-ccw" onPress={() => void again()}>
            {t('offline.again')}
          </Button>
        )}
        <Button kind="quiet" icon="trash-2" onPress={() => setDropping(true)}>
          {t('offline.drop')}
        </Button>
      </div>
    </section>
  )
}
