// What may be wider than the page: it takes the focus, so that the arrows scroll it. No landmark: it stands in one.
import type { ReactNode, Ref } from 'react'
import styles from './ScrollBox.module.css'

interface Props {
  label: string
  children: ReactNode
  boxRef?: Ref<HTMLDivElement>
}

export function ScrollBox({ label, children, boxRef }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach what scrolls.
    <div className={styles.scroll} role="group" aria-label={label} tabIndex={0} ref={boxRef}>
      {children}
    </div>
  )
}
