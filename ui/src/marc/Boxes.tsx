// Fixed places as boxes: the leader's, and those of 006 to 008 as the server names them.
import { useText } from '#/i18n/text'
import styles from './marc.module.css'
import { elementText, shown, withCharacter, withElement } from './model'
import type { Elements } from './types'

/** Places of the leader that may be changed. */
const LEADER = [
  ['Status', 5],
  ['Type', 6],
  ['BLvl', 7],
  ['Ctrl', 8],
  ['ELvl', 17],
  ['Desc', 18],
  ['MultiLvl', 19],
] as const

interface LeaderProps {
  leader: string
  readOnly?: boolean
  onChange: (leader: string) => void
}

export function LeaderBoxes({ leader, readOnly, onChange }: LeaderProps) {
  const t = useText()
  return (
    <fieldset className={styles.boxes}>
      <legend className="vh">{t('inventory.fixedFields', { tag: 'LDR' })}</legend>
      {LEADER.map(([name, at]) => (
        <label key={name}>
          {name}
          <input
            value={shown(leader[at] ?? '')}
            size={1}
            maxLength={1}
            readOnly={readOnly}
            spellCheck={false}
            onFocus={(event) => event.target.select()}
            onChange={(event) =>
              onChange(withCharacter(leader, at, event.target.value.replace(' ', '\\')))
            }
          />
        </label>
      ))}
    </fieldset>
  )
}

/** Said by the leader, or by the server. */
const DERIVED = new Set(['Type', 'BLvl', 'Entered', 'ELvl', 'Desc'])

interface Props {
  tag: string
  content: Elements
  readOnly?: boolean
  onChange: (content: Elements) => void
}

export function ElementBoxes({ tag, content, readOnly, onChange }: Props) {
  const t = useText()
  return (
    <fieldset className={styles.boxes}>
      <legend className="vh">{t('inventory.fixedFields', { tag })}</legend>
      {Object.entries(content)
        .filter(([name]) => tag !== '008' || !DERIVED.has(name))
        .map(([name, value]) => (
          <label key={name}>
            {name}
            <input
              value={elementText(value)}
              size={Math.max(1, value.length)}
              maxLength={value.length}
              readOnly={readOnly}
              spellCheck={false}
              onFocus={(event) => event.target.select()}
              onChange={(event) => onChange(withElement(content, name, event.target.value))}
            />
          </label>
        ))}
    </fieldset>
  )
}
