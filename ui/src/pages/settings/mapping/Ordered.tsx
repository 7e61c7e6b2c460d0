// Things whose order counts: each a group that is moved, taken away, and followed by new ones.
import { type ReactNode, useRef } from 'react'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import styles from '../settings.module.css'

interface Props<T> {
  name: string
  items: readonly T[]
  onChange: (items: readonly T[]) => void
  children: (item: T, at: number, set: (item: T) => void) => ReactNode
  /** What the button below says, and what it adds; without it there are no more. */
  add?: { text: string; item: () => T }
}

export function Ordered<T>({ name, items, onChange, children, add }: Props<T>) {
  const t = useText()
  const { number } = useFormats()
  const list = useRef<HTMLDivElement>(null)
  const move = (from: number, to: number, way: 'up' | 'down') => {
    const next = [...items]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
    announce(t('map.moved', { name, number: number(to + 1) }))
    // The focus goes along; at an end the other button is left.
    requestAnimationFrame(() => {
      const row = list.current?.children[to]
      const wanted = row?.querySelector<HTMLElement>(`:scope > div > [data-move="${way}"]`)
      ;(wanted ?? row?.querySelector<HTMLElement>(':scope > div > [data-move]'))?.focus()
    })
  }
  const moving = (at: number, way: 'up' | 'down') => (
    <Button
      small
      kind="quiet"
      icon={way === 'up' ? 'arrow-up' : 'arrow-down'}
      data-move={way}
      aria-label={t(way === 'up' ? 'map.up' : 'map.down', { name, number: number(at + 1) })}
      onPress={() => move(at, way === 'up' ? at - 1 : at + 1, way)}
    />
  )
  return (
    <>
      {items.length ? (
        <div ref={list} className={styles.ranges}>
          {items.map((item, at) => (
            // They have no ids, and their order is theirs alone.
            <div
              key={at}
              className={styles.row}
              role="group"
              aria-label={t('set.rowOf', { name, number: number(at + 1) })}
            >
              <div className={styles.ranges}>
                {children(item, at, (next) =>
                  onChange(items.map((one, index) => (index === at ? next : one))),
                )}
              </div>
              <div className={styles.moves}>
                {at > 0 ? moving(at, 'up') : null}
                {at < items.length - 1 ? moving(at, 'down') : null}
                <Button
                  small
                  kind="quiet"
                  icon="trash-2"
                  aria-label={t('set.removeRow', { name, number: number(at + 1) })}
                  onPress={() => onChange(items.filter((_, index) => index !== at))}
                />
              </div>
            </div>
          ))}
        </div>
      ) : null}
      {add ? (
        <div className="row">
          <Button small icon="plus" onPress={() => onChange([...items, add.item()])}>
            {add.text}
          </Button>
        </div>
      ) : null}
    </>
  )
}
