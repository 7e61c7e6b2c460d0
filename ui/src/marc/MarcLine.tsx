// A field of the editor: tag, indicators, content, and what the server says about it below.
import { type ReactNode, useId } from 'react'
import { useText } from '#/i18n/text'
import { Badge } from '#/ui/Badge'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Icon, type IconName } from '#/ui/Icon'
import { ElementBoxes } from './Boxes'
import { Content } from './Content'
import { LinkedContent } from './LinkedContent'
import styles from './marc.module.css'
import { isControl, isKept, isOwn, splitSubfields } from './model'
import type { Issue, Line, MarcField, MarcFormat } from './types'

/** What can be looked up for a field: an authority, a location. */
export interface LookUp {
  icon: IconName
  text: string
  /** Why it may not be. */
  disabled?: string
  open: () => void
}

interface Props {
  format: MarcFormat
  line: Line
  issues: readonly Issue[]
  onChange: (change: Partial<MarcField>) => void
  onDelete: () => void
  /** The codes that come from the authority, where the field is linked. */
  codes?: ReadonlySet<string>
  lookUp?: LookUp
  /** What is looked up, while it is open. */
  children?: ReactNode
}

export function MarcLine(props: Props) {
  const { format, line, issues, onChange, onDelete, codes, lookUp, children } = props
  const t = useText()
  const said = useId()
  const own = isOwn(line)
  const { tag, content } = line
  const isLinked = Boolean(line.linkDetails?.authorityId)
  const worst = issues.some((one) => one.severity === 'error')
    ? 'blocked'
    : issues.length
      ? 'fee'
      : undefined
  const indicator = (at: 0 | 1) => (
    <input
      className={styles.indicator}
      value={line.indicators[at] === '\\' ? '' : (line.indicators[at] ?? '')}
      maxLength={1}
      readOnly={own}
      spellCheck={false}
      aria-label={t('inventory.indicatorOf', { tag, number: at + 1 })}
      onChange={(event) => {
        const indicators = [...line.indicators]
        indicators[at] = event.target.value.trim() || '\\'
        onChange({ indicators })
      }}
    />
  )
  return (
    <li className={cx(styles.field, worst)} data-line={line.key} data-worst={worst}>
      <input
        className={styles.tag}
        value={tag}
        maxLength={3}
        readOnly={own || isControl(tag)}
        spellCheck={false}
        aria-label={t('inventory.tag')}
        onChange={(event) => onChange({ tag: event.target.value })}
      />
      {isControl(tag) ? <span className={styles.none} /> : indicator(0)}
      {isControl(tag) ? <span className={styles.none} /> : indicator(1)}
      {typeof content === 'string' && isLinked && codes ? (
        <LinkedContent
          tag={tag}
          text={content}
          codes={codes}
          invalid={worst === 'blocked'}
          describedBy={issues.length ? said : undefined}
          onChange={(text) => onChange({ content: text })}
        />
      ) : typeof content === 'string' ? (
        <Content
          tag={tag}
          text={content}
          readOnly={own || isLinked}
          invalid={worst === 'blocked'}
          describedBy={issues.length ? said : undefined}
          onChange={(text) => onChange({ content: text })}
        />
      ) : (
        <ElementBoxes
          format={format}
          tag={tag}
          content={content}
          readOnly={own}
          onChange={(next) => onChange({ content: next })}
        />
      )}
      <span className={styles.acts}>
        {isLinked ? (
          <>
            <Badge kind="ok" icon="link">
              {t('inventory.linked')}
            </Badge>
            <Button
              small
              kind="quiet"
              icon="unlink"
              aria-label={t('inventory.unlink', { tag })}
              onPress={() =>
                onChange({
                  linkDetails: undefined,
                  // The number of the authority stays as what was catalogued; the tie to it goes.
                  ...(typeof content === 'string'
                    ? { content: splitSubfields(content, new Set(['9'])).own }
                    : {}),
                })
              }
            />
          </>
        ) : lookUp ? (
          <span className={styles.bin}>
            <Button
              small
              kind="quiet"
              icon={lookUp.icon}
              disabled={lookUp.disabled}
              aria-label={lookUp.text}
              onPress={lookUp.open}
            />
          </span>
        ) : null}
        {isKept(line) ? null : (
          <span className={styles.bin}>
            <Button
              small
              kind="quiet"
              icon="trash-2"
              aria-label={t('inventory.deleteField', { tag })}
              onPress={onDelete}
            />
          </span>
        )}
      </span>
      {issues.length ? (
        <ul className={styles.said} id={said}>
          {issues.map((issue) => (
            <li
              key={issue.message}
              className={cx(styles.say, issue.severity === 'error' ? 'blocked' : 'fee')}
            >
              <Icon name={issue.severity === 'error' ? 'octagon-x' : 'triangle-alert'} />
              <span>
                <span className="vh">
                  {t(issue.severity === 'error' ? 'inventory.fault' : 'inventory.warning')}:{' '}
                </span>
                {issue.message}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {children}
    </li>
  )
}
