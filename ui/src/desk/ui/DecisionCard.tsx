// A question in its row: one sentence, its consequence, one to three answers with their keys.
import type { RefObject } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import styles from '../desk.module.css'
import type { DeskSession } from '../session'
import type { Answers, Question, Scan } from '../types'
import { useCardKeys } from '../useCardKeys'
import { askedOf, type DeskAct } from '../words'
import { CodeCell, FeeCell, OutcomeCell, TimeCell, TitleCell } from './Cells'
import { OverrideCard } from './OverrideCard'

export interface CardProps {
  scan: Scan
  session: DeskSession
  act: DeskAct
  field: RefObject<HTMLInputElement | null>
}

export function DecisionCard(props: CardProps) {
  const { scan, act } = props
  const [question] = scan.questions
  if (!question) return null
  return (
    <div className={cx(styles.ask, styles['keys-here'])} data-oldest="">
      <div className={styles.scans}>
        <div className={styles.line}>
          <TimeCell scan={scan} />
          <OutcomeCell scan={scan} act={act} />
          <TitleCell scan={scan} />
          <CodeCell scan={scan} />
          <FeeCell scan={scan} />
        </div>
      </div>
      {question.kind === 'override' ? (
        <OverrideCard {...props} question={question} />
      ) : (
        <Choice {...props} question={question} />
      )}
    </div>
  )
}

function Choice({ scan, session, act, field, question }: CardProps & { question: Question }) {
  const t = useText()
  const formats = useFormats()
  const [sentence, consequence] = askedOf(question, t, formats, act)
  const choices = choicesOf(question, act)
  const run = (key: string) => {
    if (key === 'Esc') session.leave(scan.id)
    else session.answer(scan.id, choices[Number(key) - 1]?.answers ?? {})
    field.current?.focus()
  }
  const keys = [...choices.map((_, at) => String(at + 1)), 'Esc']
  const armed = useCardKeys({ keys, onKey: run, field })
  return (
    <div className={styles['card-in']}>
      <div>
        <p className="strong">{sentence}</p>
        <p className={styles.why}>{consequence}</p>
      </div>
      <div className={styles.answers}>
        {choices.map((choice, at) => (
          <Button
            key={choice.text}
            kind={at ? 'plain' : 'primary'}
            keys={String(at + 1)}
            keysFirst
            arming={armed === String(at + 1)}
            onPress={() => run(String(at + 1))}
          >
            {t(choice.text)}
          </Button>
        ))}
        <Button kind="quiet" keys="Esc" keysFirst onPress={() => run('Esc')}>
          {t('desk.later')}
        </Button>
      </div>
    </div>
  )
}

function choicesOf(question: Question, act: DeskAct) {
  const confirm = (kind: 'status' | 'pieces' | 'notes'): Partial<Answers> => ({ confirmed: [kind] })
  switch (question.kind) {
    case 'claimedReturned':
      return [
        { text: 'desk.answer.found', answers: { claimedReturned: 'Found by library' } },
        { text: 'desk.answer.brought', answers: { claimedReturned: 'Returned by patron' } },
      ] as const
    case 'status':
      return [
        {
          text: act === 'checkIn' ? 'desk.answer.checkIn' : 'desk.answer.lend',
          answers: confirm('status'),
        },
      ] as const
    case 'pieces':
      return [{ text: 'desk.answer.pieces', answers: confirm('pieces') }] as const
    default:
      return [{ text: 'desk.answer.read', answers: confirm('notes') }] as const
  }
}
