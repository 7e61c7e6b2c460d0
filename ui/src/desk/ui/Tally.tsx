// How many of each outcome; each line narrows the list to its kind.

import type { TextId } from '#/i18n/text'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Icon, type IconName } from '#/ui/Icon'
import type { Kind } from '#/ui/kinds'
import styles from '../desk.module.css'
import { kindOf, type TallyKind } from '../tally'
import type { Scan } from '../types'

const LINES: readonly { kind: TallyKind; look: Kind; icon: IconName; text: TextId }[] = [
  { kind: 'ok', look: 'ok', icon: 'check', text: 'desk.shelve' },
  { kind: 'transit', look: 'transit', icon: 'truck', text: 'desk.send' },
  { kind: 'hold', look: 'hold', icon: 'bookmark', text: 'desk.holdShelf' },
  { kind: 'question', look: 'question', icon: 'circle-help', text: 'desk.tally.questions' },
  { kind: 'offline', look: 'offline', icon: 'archive', text: 'desk.putAside' },
  { kind: 'blocked', look: 'blocked', icon: 'octagon-x', text: 'desk.notCheckedIn' },
]

interface Props {
  scans: readonly Scan[]
  chosen: TallyKind | undefined
  onChoose: (kind: TallyKind | undefined) => void
}

export function Tally({ scans, chosen, onChoose }: Props) {
  const t = useText()
  const formats = useFormats()
  const owing = scans.filter((scan) => scan.owed)
  const line = (kind: TallyKind, look: Kind, icon: IconName, text: string, figure: string) => (
    <li key={kind}>
      <button
        type="button"
        className={look}
        aria-pressed={chosen === kind}
        onClick={() => onChoose(chosen === kind ? undefined : kind)}
      >
        <Icon name={icon} />
        {text}
        <span className="n">{figure}</span>
      </button>
    </li>
  )
  return (
    <ul className={styles.tally}>
      {LINES.map(({ kind, look, icon, text }) => {
        const count = scans.filter((scan) => kindOf(scan) === kind).length
        return count || chosen === kind
          ? line(kind, look, icon, t(text), formats.number(count))
          : null
      })}
      {owing.length
        ? line(
            'fee',
            'fee',
            'coins',
            t('desk.tally.owed', { count: owing.length }),
            formats.money(owing.reduce((total, scan) => total + (scan.owed ?? 0), 0)),
          )
        : null}
    </ul>
  )
}
