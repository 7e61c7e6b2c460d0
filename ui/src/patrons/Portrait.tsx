// The user's picture beside the name, or the initials. It has its room before it is here: nothing moves under the scanner.
import type { User } from '#/api/types'
import { initials } from '#/lib/names'
import { Avatar } from '#/ui/Avatar'
import { usePicture } from './pictures'

export function Portrait({ user }: { user: Pick<User, 'personal'> }) {
  const { hasOne, src, onError } = usePicture(user)
  const picture = src && <img src={src} alt="" referrerPolicy="no-referrer" onError={onError} />
  return <Avatar big face={hasOne} text={picture || initials(user.personal ?? {})} />
}
