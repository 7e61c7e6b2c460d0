// Open questions above the list, oldest first. Only the oldest has the keys; a new one goes below it and
// never takes them over, so that a key pressed for one cannot answer another.
import type { RefObject } from 'react'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import styles from '../desk.module.css'
import type { DeskSession } from '../session'
import type { Scan } from '../types'
import type { DeskAct } from '../words'
import { DecisionCard } from './DecisionCard'
import { WaitingQuestion } from './WaitingQuestion'

interface Props {
  scans: readonly Scan[]
  session: DeskSession
  act: DeskAct
  field: RefObject<HTMLInputElement | null>
}

export function Asks({ scans, session, act, field }: Props) {
  const t = useText()
  const open = scans.filter((scan) => scan.state === 'question').toReversed()
  const [first, ...rest] = open
  useCommands([
    {
      id: 'desk.oldest',
      title: 'desk.toOldest',
      group: 'page',
      keys: 'F8',
      run: () =>
        document.querySelector<HTMLElement>('[data-oldest] input, [data-oldest] button')?.focus(),
    },
  ])
  if (!first) return null
  return (
    <section className={styles.asks} aria-label={t('desk.questions')}>
      <DecisionCard
        key={first.id + (first.questions[0]?.kind ?? '')}
        scan={first}
        session={session}
        act={act}
        field={field}
      />
      {rest.map((scan) => (
        <WaitingQuestion key={scan.id} scan={scan} act={act} />
      ))}
    </section>
  )
}
