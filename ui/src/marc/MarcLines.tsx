// A record to read: a line a field.

import { Marked } from './Content'
import styles from './marc.module.css'
import { elementText, shown } from './model'
import type { MarcRecord } from './types'

export function MarcLines({ record }: { record: MarcRecord }) {
  return (
    <ol className={styles.marc}>
      <li className={styles.line}>
        <b>LDR</b>
        <span />
        <span>{shown(record.leader)}</span>
      </li>
      {record.fields.map((field, at) => (
        <li key={`${at}${field.tag}`} className={styles.line}>
          <b>{field.tag}</b>
          <span>{shown(field.indicators.join(''))}</span>
          {typeof field.content === 'string' ? (
            <Marked read text={field.content} />
          ) : (
            <span>
              {Object.entries(field.content)
                .filter(([name]) => !name.startsWith('Undef_'))
                .map(([name, value]) =>
                  name === '$categoryName' ? value : `${name} ${elementText(value).trim()}`,
                )
                .join(' · ')}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
