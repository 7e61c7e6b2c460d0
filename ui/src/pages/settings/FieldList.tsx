// The fields of a record that are shown, in their order; those of a group side by side.
import { useText } from '#/i18n/text'
import { isShown } from '#/settings/check'
import type { Field } from '#/settings/kinds'
import type { Values } from '#/settings/paths'
import { FieldView } from './FieldView'
import styles from './settings.module.css'

interface Props {
  fields: readonly Field[]
  record: Values
  faults: ReadonlySet<string>
  /** Before the names of fields in the faults: the row that they belong to. */
  path?: string
  onChange: (name: string, value: unknown) => void
}

export function FieldList({ fields, record, faults, path = '', onChange }: Props) {
  const t = useText()
  return fields
    .filter((field) => isShown(field, record))
    .map((field) =>
      field.type === 'group' ? (
        <fieldset key={field.name} className={styles.ranges}>
          <legend className="sm medium">{t(field.label)}</legend>
          <div className={styles.fields}>
            <FieldList fields={field.fields} {...{ record, faults, path, onChange }} />
          </div>
        </fieldset>
      ) : (
        <FieldView
          key={field.name}
          field={field}
          record={record}
          faults={faults}
          path={path + field.name}
          onChange={(value) => onChange(field.name, value)}
        />
      ),
    )
}
