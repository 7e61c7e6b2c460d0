// One change of a MARC record: the field, and what becomes of its subfields.
import { useText } from '#/i18n/text'
import {
  isControl,
  type MarcChange,
  type MarcField,
  type MarcSubfield,
  MOVES,
  newSubfield,
} from '#/settings/imports/marcChanges'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import styles from '../settings.module.css'
import { Ordered } from './Ordered'
import { SubfieldChange } from './SubfieldChange'

interface Props {
  change: MarcChange
  takes: boolean
  faults: ReadonlySet<string>
  path: string
  onChange: (change: MarcChange) => void
}

export function Change({ change, takes, faults, path, onChange }: Props) {
  const t = useText()
  const { action, field } = change
  const setField = (more: Partial<MarcField>) =>
    onChange({ ...change, field: { ...field, ...more } })
  const subfields = field.subfields ?? []
  const [first] = subfields
  const target = first?.data?.marcField ?? {}
  const setFirst = (more: Partial<MarcSubfield>) =>
    setField({ subfields: [{ ...first, ...more }, ...subfields.slice(1)] })
  const setTarget = (more: Partial<MarcField>) =>
    setFirst({ data: { ...first?.data, marcField: { ...target, ...more } } })
  return (
    <>
      <div className={styles.tags}>
        <TextField
          label={t('set.protection.field')}
          mark="needed"
          maxLength={3}
          value={field.field ?? ''}
          error={faults.has(`${path}/field`) ? t('map.typeTag') : undefined}
          onChange={(text) => setField({ field: text })}
        />
        {isControl(field.field) ? null : <Indicators field={field} onChange={setField} />}
      </div>
      {action === 'MOVE' && !takes ? (
        <div className={styles.tags}>
          <Select
            label={t('map.where')}
            value={first?.subaction}
            choices={MOVES.map((value) => ({ value, text: t(`map.move.${value}`) }))}
            onChange={(subaction) => setFirst({ subaction })}
          />
          <TextField
            label={t('map.toField')}
            mark="needed"
            maxLength={3}
            value={target.field ?? ''}
            error={faults.has(`${path}/0/to`) ? t('map.typeTag') : undefined}
            onChange={(text) => setTarget({ field: text })}
          />
          <Indicators to field={target} onChange={setTarget} />
        </div>
      ) : null}
      {faults.has(`${path}/subfields`) ? (
        <p className="sm blocked" tabIndex={-1} data-lacking="">
          {t('map.needsSubfield')}
        </p>
      ) : null}
      <Ordered<MarcSubfield>
        name={t('set.match.subfield')}
        items={subfields}
        onChange={(next) => setField({ subfields: next })}
        add={
          takes || isControl(field.field)
            ? undefined
            : { text: t('map.addSubfield'), item: () => ({ ...newSubfield(action), subfield: '' }) }
        }
      >
        {(one, at, set) => (
          <SubfieldChange
            action={takes ? undefined : action}
            field={field}
            one={one}
            takes={takes}
            faults={faults}
            path={`${path}/${at}`}
            onChange={set}
          />
        )}
      </Ordered>
    </>
  )
}

function Indicators({
  field,
  to,
  onChange,
}: {
  field: MarcField
  to?: boolean
  onChange: (more: Partial<MarcField>) => void
}) {
  const t = useText()
  return (
    <>
      <TextField
        label={t(to ? 'map.toFirst' : 'set.match.first')}
        maxLength={1}
        value={field.indicator1 ?? ''}
        onChange={(indicator1) => onChange({ indicator1 })}
      />
      <TextField
        label={t(to ? 'map.toSecond' : 'set.match.second')}
        maxLength={1}
        value={field.indicator2 ?? ''}
        onChange={(indicator2) => onChange({ indicator2 })}
      />
    </>
  )
}
