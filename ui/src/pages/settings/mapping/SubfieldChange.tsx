// What becomes of one subfield.
import { useText } from '#/i18n/text'
import {
  EDITS,
  editOf,
  isControl,
  type MarcChange,
  type MarcField,
  type MarcSubfield,
  POSITIONS,
} from '#/settings/imports/marcChanges'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import styles from '../settings.module.css'

interface Props {
  action: MarcChange['action']
  field: MarcField
  one: MarcSubfield
  takes: boolean
  faults: ReadonlySet<string>
  path: string
  onChange: (one: MarcSubfield) => void
}

type Data = NonNullable<MarcSubfield['data']>

export function SubfieldChange({ action, field, one, takes, faults, path, onChange }: Props) {
  const t = useText()
  const { data = {} } = one
  const edit = action === 'EDIT' ? editOf(one) : undefined
  const fault = (part: string, text = t('set.typeIt')) =>
    faults.has(`${path}/${part}`) ? text : undefined
  const setData = (more: Data) => onChange({ ...one, data: { ...data, ...more } })
  const text = (part: 'text' | 'find' | 'replaceWith', label: string) => (
    <TextField
      label={label}
      value={data[part] ?? ''}
      error={fault(part)}
      onChange={(value) => setData({ [part]: value })}
    />
  )
  const [to] = data.marcField?.subfields ?? []
  return (
    <div className={styles.tags}>
      {isControl(field.field) ? null : (
        <TextField
          label={t('set.match.subfield')}
          maxLength={1}
          value={one.subfield ?? ''}
          error={fault('subfield', t(takes ? 'map.wholeOnly' : 'map.typeCode', { any: '*' }))}
          onChange={(subfield) => onChange({ ...one, subfield })}
        />
      )}
      {edit ? (
        <Select
          label={t('map.how')}
          value={edit}
          choices={EDITS.map((value) => ({ value, text: t(`map.edit.${value}`) }))}
          onChange={(subaction) => onChange({ ...one, subaction, position: undefined })}
        />
      ) : null}
      {edit === 'INSERT' ? (
        <Select
          label={t('map.position')}
          value={one.position ?? 'BEFORE_STRING'}
          choices={POSITIONS.map((value) => ({ value, text: t(`map.position.${value}`) }))}
          onChange={(position) => onChange({ ...one, position })}
        />
      ) : null}
      {edit === 'REPLACE' ? (
        <>
          {text('find', t('map.find'))}
          {text('replaceWith', t('map.replaceWith'))}
        </>
      ) : null}
      {action === 'ADD' || (edit && edit !== 'REPLACE')
        ? text('text', t(edit === 'REMOVE' ? 'map.removeText' : 'set.text'))
        : null}
      {action === 'MOVE' && one.subfield !== '*' ? (
        <TextField
          label={t('map.toSubfield')}
          maxLength={1}
          value={to?.subfield ?? ''}
          error={fault('toSubfield', t('map.typeCode', { any: '*' }))}
          onChange={(subfield) =>
            setData({
              marcField: { ...data.marcField, subfields: subfield ? [{ subfield }] : undefined },
            })
          }
        />
      ) : null}
    </div>
  )
}
