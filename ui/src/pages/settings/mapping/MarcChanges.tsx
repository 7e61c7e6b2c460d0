// The changes of MARC records of a mapping profile, in their order; or the fields that an update takes over.
import { useText } from '#/i18n/text'
import {
  ACTIONS,
  type MarcChange,
  newChange,
  newTaken,
  withAction,
} from '#/settings/imports/marcChanges'
import { Select } from '#/ui/Select'
import styles from '../settings.module.css'
import { Change } from './Change'
import { Ordered } from './Ordered'

interface Props {
  label: string
  /** Whether it names the fields that an update takes over. */
  takes: boolean
  value: unknown
  faults: ReadonlySet<string>
  path: string
  onChange: (changes: readonly MarcChange[]) => void
}

export function MarcChanges({ label, takes, value, faults, path, onChange }: Props) {
  const t = useText()
  const changes = (Array.isArray(value) ? value : []) as readonly MarcChange[]
  const name = t(takes ? 'map.takenField' : 'map.change')
  return (
    <fieldset className={styles.ranges}>
      <legend className="sm medium">{label}</legend>
      <p className="sm soft">{t(takes ? 'map.takenHelp' : 'map.changesHelp', { any: '*' })}</p>
      {faults.has(`${path}/needed`) ? (
        <p className="sm blocked" tabIndex={-1} data-lacking="">
          {t('map.needsChange')}
        </p>
      ) : null}
      <Ordered<MarcChange>
        name={name}
        items={changes}
        onChange={onChange}
        add={{
          text: t(takes ? 'map.addTaken' : 'map.addChange'),
          item: () => (takes ? newTaken() : newChange('ADD')),
        }}
      >
        {(change, at, set) => (
          <>
            {takes ? null : (
              <Select
                label={t('set.action')}
                value={change.action}
                choices={ACTIONS.map((value) => ({ value, text: t(`map.do.${value}`) }))}
                onChange={(action) => set(withAction(change, action))}
              />
            )}
            <Change {...{ change, takes, faults }} path={`${path}/${at}`} onChange={set} />
          </>
        )}
      </Ordered>
    </fieldset>
  )
}
