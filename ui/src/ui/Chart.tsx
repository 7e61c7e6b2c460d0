// Lines over time, which runs with the page. Drawn in the container's own pixels, so that its words never scale; on phones it scrolls.
// The sentence that it proves is its name, and its figures stand behind it as a table.

import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { useLocale } from 'react-aria-components/I18nProvider'
import styles from './Chart.module.css'
import { cx } from './cx'
import { ScrollBox } from './ScrollBox'

export interface Series {
  id: string
  title: string
  /** The first is solid, the second dashed, others dotted. */
  values: readonly (number | undefined)[]
}

interface Props {
  title: string
  /** What the lines show, in a sentence. */
  sentence: string
  series: readonly Series[]
  /** The labels of the axes. */
  valueText: (value: number) => string
  placeText: (index: number) => string
  /** The same figures as a table, behind a disclosure. */
  table: ReactNode
  tableTitle: string
  /** In pixels. */
  height?: number
}

const HEIGHT = 200
const LEAST_WIDTH = 480
const START = 56
const END = 16
const TOP = 12
const FOOT = 28
const PLACES = 7
const LINES = 3

export function Chart(props: Props) {
  const { title, sentence, series, valueText, placeText, table, tableTitle } = props
  const { height = HEIGHT } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const width = Math.max(LEAST_WIDTH, useWidth(box))
  const count = Math.max(1, ...series.map(({ values }) => values.length))
  const step = niceStep(Math.max(0, ...series.flatMap(({ values }) => values.map((v) => v ?? 0))))
  const isRtl = useLocale().direction === 'rtl'
  const fromStart = (place: number) => (isRtl ? width - place : place)
  const x = (index: number) =>
    fromStart(START + (index / Math.max(1, count - 1)) * (width - START - END))
  const y = (value: number) => height - FOOT - (value / (step * LINES)) * (height - FOOT - TOP)
  // Equally far apart, though the last place may then have no label.
  const every = Math.max(1, Math.ceil((count - 1) / (PLACES - 1)))
  const places = Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every)
  return (
    <section className="stack" aria-labelledby={`${id}-h`}>
      <div className="row wrap">
        <h2 id={`${id}-h`}>{title}</h2>
        <p className={cx(styles.legend, 'push')}>
          {series.map((one, at) => (
            <span key={one.id}>
              <svg viewBox="0 0 20 12" aria-hidden="true">
                <path d="M0 6h20" className={styles[`line${at}`]} />
              </svg>
              {one.title}
            </span>
          ))}
        </p>
      </div>
      <ScrollBox label={title} boxRef={box}>
        <svg
          className={styles.chart}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={sentence}
        >
          {Array.from({ length: LINES + 1 }, (_, at) => at * step).map((value) => (
            <g key={value}>
              <path
                className={value ? styles.grid : styles.axis}
                d={`M${fromStart(START)} ${y(value)}H${fromStart(width - END)}`}
              />
              <text x={fromStart(START - 8)} y={y(value) + 4} textAnchor={isRtl ? 'start' : 'end'}>
                {valueText(value)}
              </text>
            </g>
          ))}
          {places.map((index) => (
            <text key={index} x={x(index)} y={height - 8} textAnchor="middle">
              {placeText(index)}
            </text>
          ))}
          {series.map((one, at) => (
            <path key={one.id} className={styles[`line${at}`]} d={pathOf(one.values, x, y)} />
          ))}
        </svg>
      </ScrollBox>
      <details>
        <summary className="sm">{tableTitle}</summary>
        {table}
      </details>
    </section>
  )
}

function useWidth(box: React.RefObject<HTMLDivElement | null>) {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    watch.observe(element)
    setWidth(Math.floor(element.clientWidth))
    return () => watch.disconnect()
  }, [box])
  return width
}

/** Where there is no value, the line has a gap. */
function pathOf(
  values: readonly (number | undefined)[],
  x: (at: number) => number,
  y: (v: number) => number,
) {
  let isDown = false
  return values
    .map((value, at) => {
      if (value === undefined) {
        isDown = false
        return ''
      }
      // A value alone between gaps is a dot.
      const place = `${x(at).toFixed(1)} ${y(value).toFixed(1)}`
      const to = isDown ? `L${place}` : `M${place}h0`
      isDown = true
      return to
    })
    .join('')
}

/** 1, 2, 2.5 or 5 by a power of ten, so that three of them reach above the highest value. */
export function niceStep(highest: number): number {
  if (highest <= 0) return 1
  const least = highest / LINES
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 2.5, 5, 10].find((one) => one * power >= least) ?? 10)
}
