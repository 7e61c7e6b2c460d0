// A barcode, shelf mark or id: always left to right, isolated, the last four figures heavier.
import { cx } from './cx'

export function Code({ children, plain }: { children: string; plain?: boolean }) {
  const cut = plain ? children.length : Math.max(0, children.length - 4)
  return (
    <bdi className={cx('code', !plain && 'tnum')}>
      {children.slice(0, cut)}
      {cut < children.length ? <b>{children.slice(cut)}</b> : null}
    </bdi>
  )
}
