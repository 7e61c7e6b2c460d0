// The way back of a record: the search, the title it belongs to, its own kind and number.
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { Code } from '#/ui/Code'
import { lastSearch } from './lastSearch'

interface Props {
  kind: string
  hrid?: string
  title?: { id: string; text: string }
  /** Holdings of that title, where the record is a part of them. */
  holdings?: { id: string; text: string }
}

export function RecordPath({ kind, hrid, title, holdings }: Props) {
  const t = useText()
  return (
    <>
      <Link to="/inventory" search={lastSearch()}>
        {t('inventory.inventory')}
      </Link>
      {title ? (
        <>
          {' / '}
          <Link to="/inventory/$instanceId" params={{ instanceId: title.id }} search={{}}>
            <bdi>{title.text}</bdi>
          </Link>
        </>
      ) : null}
      {title && holdings ? (
        <>
          {' / '}
          <Link
            to="/inventory/$instanceId/holdings/$holdingsId"
            params={{ instanceId: title.id, holdingsId: holdings.id }}
          >
            <bdi>{holdings.text}</bdi>
          </Link>
        </>
      ) : null}
      {` / ${kind} `}
      {hrid ? <Code plain>{hrid}</Code> : null}
    </>
  )
}
