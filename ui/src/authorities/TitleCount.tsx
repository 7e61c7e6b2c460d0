// How many titles follow an authority: a link to the search that finds them.
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { titlesOf } from './queries'

interface Props {
  id: string
  heading: string
  count: number | undefined
}

export function TitleCount({ id, heading, count }: Props) {
  const t = useText()
  const { number } = useFormats()
  if (count === undefined) return null
  if (!count) return <span className="muted">{number(0)}</span>
  return (
    <Link to="/inventory" search={titlesOf(id)} tabIndex={-1}>
      {number(count)}
      <span className="vh"> {t('authority.titlesOf', { count, name: heading })}</span>
    </Link>
  )
}
