// The way back of an authority: the search, the heading, the kind of page and the number.
import { Link } from '@tanstack/react-router'
import { useText } from '#/i18n/text'
import { Code } from '#/ui/Code'
import { lastSearch } from './lastSearch'

interface Props {
  kind?: string
  number?: string
  heading?: { id: string; text: string }
}

export function AuthorityPath({ kind, number, heading }: Props) {
  const t = useText()
  return (
    <>
      <Link to="/authorities" search={lastSearch()}>
        {t('shell.authorities')}
      </Link>
      {heading ? (
        <>
          {' / '}
          <Link to="/authorities/$authorityId" params={{ authorityId: heading.id }}>
            <bdi>{heading.text}</bdi>
          </Link>
        </>
      ) : null}
      {kind ? ` / ${kind}` : null}
      {number ? (
        <>
          {kind ? ' ' : ' / '}
          <Code plain>{number}</Code>
        </>
      ) : null}
    </>
  )
}
