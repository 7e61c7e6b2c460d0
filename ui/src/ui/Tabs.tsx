// The parts of a record as links: the address knows which one is open.
import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { page } from './Page'

export interface Tab {
  id: string
  title: string
  count?: string
}

interface Props {
  label: string
  tabs: readonly Tab[]
  current: string
  /** The address with another tab. */
  linkOf: (id: string) => Pick<LinkProps, 'to' | 'params' | 'search'>
}

export function Tabs({ label, tabs, current, linkOf }: Props) {
  return (
    <nav className={page.tabs} aria-label={label}>
      {tabs.map(({ id, title, count }) => (
        <Link
          key={id}
          {...(linkOf(id) as { to: '.' })}
          replace
          // The first tab is an address without a tab.
          activeOptions={{ exact: true, explicitUndefined: true }}
          aria-current={id === current ? 'page' : undefined}
        >
          {title}
          {count === undefined ? null : <span className="n">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
