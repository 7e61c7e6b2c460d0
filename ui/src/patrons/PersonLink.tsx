// A person's name that leads to the record, or the name alone where there is no record any more.
import { Link } from '@tanstack/react-router'
import { fullName, type Named } from '#/lib/names'

interface Props {
  id: string | undefined
  person: Named | undefined
  fallback?: string
  className?: string
}

export function PersonLink({ id, person, fallback, className }: Props) {
  const name = (person && fullName(person)) || fallback || ''
  if (!id || !name) return <bdi>{name}</bdi>
  return (
    <Link to="/users/$userId" params={{ userId: id }} className={className}>
      <bdi>{name}</bdi>
    </Link>
  )
}
