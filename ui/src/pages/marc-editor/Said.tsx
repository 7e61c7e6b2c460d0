// How many faults and warnings the server found; those that belong to no field are here.
import { useText } from '#/i18n/text'
import type { Issue } from '#/marc/types'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'

interface Props {
  /** Undefined before the first check. */
  issues: readonly Issue[] | undefined
  unplaced: readonly Issue[]
  onNext: () => void
}

export function Said({ issues, unplaced, onNext }: Props) {
  const t = useText()
  if (!issues) return null
  const faults = issues.filter((one) => one.severity === 'error').length
  const warnings = issues.length - faults
  return (
    <Note kind={faults ? 'blocked' : warnings ? 'fee' : 'ok'} bar>
      <div className="row wrap">
        <p className="grow">
          <strong>{t('inventory.checked', { faults, warnings })}</strong>{' '}
          {faults ? t('inventory.mendFirst') : ''}
        </p>
        {issues.length > unplaced.length ? (
          <Button small keys="F7" onPress={onNext}>
            {t('inventory.nextFault')}
          </Button>
        ) : null}
      </div>
      {unplaced.length ? (
        <ul>
          {unplaced.map((one) => (
            <li key={`${one.tag}${one.message}`} className="sm">
              {[one.tag.replace(/\[\d+\]$/, ''), one.message].filter(Boolean).join(': ')}
            </li>
          ))}
        </ul>
      ) : null}
    </Note>
  )
}
