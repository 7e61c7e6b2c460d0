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

export interface Mark {
  /** The place of the series. */
  series: number
  index: number
  text: string
}

interface Props {
  title: string
  /** What the lines show, in a sentence. */
  sentence: string
  series: readonly Series[]
  /** The labels of the axes. */
  valueText: (value: number) => string
  placeText: (index: number) => string
  /** A second line below a place; then the places are things of their own, each a dot with room for its name. */
  underText?: (index: number) => string
  /** Dots that stand out, each with a word above it. */
  marks?: readonly Mark[]
  /** The same figures as a table, behind a disclosure; left out where they stand open beside the chart. */
  table?: ReactNode
  tableTitle?: string
  /** In pixels. */
  height?: number
}

const HEIGHT = 200
const LEAST_WIDTH = 480
const START = 56
/** Units are words in Arabic. */
const START_RTL = 72
const END = 16
const TOP = 12
const FOOT = 28
const PLACES = 7
/** What the name of a place of its own needs. */
const NAME_WIDTH = 88
const UNDER = 14
const LINES = 3

export function Chart(props: Props) {
  const { title, sentence, series, valueText, placeText, table, tableTitle } = props
  const { height = HEIGHT, underText, marks = [] } = props
  const isRtl = useLocale().direction === 'rtl'
  const start = isRtl ? START_RTL : START
  const foot = underText ? FOOT + UNDER : FOOT
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const width = Math.max(LEAST_WIDTH, useWidth(box))
  const count = Math.max(1, ...series.map(({ values }) => values.length))
  const step = niceStep(Math.max(0, ...series.flatMap(({ values }) => values.map((v) => v ?? 0))))
  const fromStart = (place: number) => (isRtl ? width - place : place)
  const room = width - start - END
  const x = (index: number) =>
    fromStart(start + (underText ? (index + 0.5) / count : index / Math.max(1, count - 1)) * room)
  const y = (value: number) => height - foot - (value / (step * LINES)) * (height - foot - TOP)
  // Equally far apart, though the last place may then have no label.
  const every = underText
    ? Math.ceil((count * NAME_WIDTH) / room)
    : Math.max(1, Math.ceil((count - 1) / (PLACES - 1)))
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
                d={`M${fromStart(start)} ${y(value)}H${fromStart(width - END)}`}
              />
              <text x={fromStart(start - 8)} y={y(value) + 4} textAnchor={isRtl ? 'start' : 'end'}>
                {valueText(value)}
              </text>
            </g>
          ))}
          {places.map((index) => (
            <text key={index} x={x(index)} y={height - foot + FOOT - 8} textAnchor="middle">
              {placeText(index)}
              {underText ? (
                <tspan x={x(index)} dy={UNDER}>
                  {underText(index)}
                </tspan>
              ) : null}
            </text>
          ))}
          {series.map((one, at) => (
            <path key={one.id} className={styles[`line${at}`]} d={pathOf(one.values, x, y)} />
          ))}
          {underText
            ? series.map((one, at) => (
                <path
                  key={one.id}
                  className={cx(styles[`line${at}`], styles.dots)}
                  d={one.values
                    .map((value, index) =>
                      value === undefined ? '' : `M${x(index)} ${y(value)}h0`,
                    )
                    .join('')}
                />
              ))
            : null}
          {marks.map((mark) => {
            const value = series[mark.series]?.values[mark.index]
            if (value === undefined) return null
            const [across, up] = [x(mark.index), y(value)]
            return (
              <g key={`${mark.series} ${mark.index}`} className={cx('blocked', styles.mark)}>
                <path d={`M${across} ${up - 6}l6 10h-12z`} />
                <text x={across} y={up - 10} textAnchor="middle">
                  {mark.text}
                </text>
              </g>
            )
          })}
        </svg>
      </ScrollBox>
      {table ? (
        <details>
          <summary className="sm">{tableTitle}</summary>
          {table}
        </details>
      ) : null}
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
