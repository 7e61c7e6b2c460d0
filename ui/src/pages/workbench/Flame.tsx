// Stacks as bars on each other, each as wide as its share; a press on one makes it the whole. A picture: the same
// figures stand in the table below it.
import { useMemo, useState } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import type { Frame } from '#/workbench/profile'
import styles from './workbench.module.css'

const WIDTH = 1200
const ROW = 18
const LETTER = 6.8
const DEPTH_MAX = 60
/** Narrower bars cannot be seen. */
const LEAST = 1.5

interface Bar {
  frame: Frame
  depth: number
  x: number
  width: number
  key: string
}

export function Flame({ root, amount }: { root: Frame; amount: (value: number) => string }) {
  const t = useText()
  const [zoomed, setZoomed] = useState<Frame>()
  const top = zoomed ?? root
  const bars = useMemo(() => barsOf(top), [top])
  const depth = Math.max(0, ...bars.map((bar) => bar.depth))
  return (
    <div className="stack">
      {zoomed ? (
        <div className="row wrap">
          <Button small icon="rotate-ccw" onPress={() => setZoomed(undefined)}>
            {t('bench.wholeFlame')}
          </Button>
          <code className={styles.sql}>{zoomed.name}</code>
        </div>
      ) : null}
      <svg
        className={styles.flame}
        viewBox={`0 0 ${WIDTH} ${(depth + 1) * ROW}`}
        role="img"
        aria-label={t('bench.flame')}
      >
        {bars.map(({ frame, depth: row, x, width, key }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same figures.
          <g
            key={key}
            className={/octavo/.test(frame.name) ? styles.own : undefined}
            onClick={() => setZoomed(frame)}
          >
            <title>{`${frame.name} · ${amount(frame.total)}`}</title>
            <rect x={x} y={row * ROW} width={width} height={ROW - 1} />
            {width > 4 * LETTER ? (
              <text x={x + 3} y={row * ROW + 13}>
                {fitting(frame.name || t('bench.whole'), width)}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </div>
  )
}

function barsOf(top: Frame): Bar[] {
  const bars: Bar[] = []
  const place = (frame: Frame, depth: number, x: number, key: string) => {
    const width = (frame.total / (top.total || 1)) * WIDTH
    if (width < LEAST || depth > DEPTH_MAX) return
    bars.push({ frame, depth, x, width, key })
    let at = x
    let turn = 0
    for (const next of frame.calls.values()) {
      place(next, depth + 1, at, `${key}.${turn}`)
      at += (next.total / (top.total || 1)) * WIDTH
      turn += 1
    }
  }
  place(top, 0, 0, '0')
  return bars
}

function fitting(name: string, width: number) {
  const letters = Math.floor((width - 6) / LETTER)
  return name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`
}
