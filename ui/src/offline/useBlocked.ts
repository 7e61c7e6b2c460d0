// What was known of a card before the server went away.
import { useEffect, useState } from 'react'
import { type BlockedCard, blockedCard } from './blocked'

export function useBlocked(card: string | undefined): BlockedCard | undefined {
  const [found, setFound] = useState<{ card: string; blocked: BlockedCard | undefined }>()
  useEffect(() => {
    let current = true
    if (card) void blockedCard(card).then((blocked) => current && setFound({ card, blocked }))
    return () => {
      current = false
    }
  }, [card])
  return found?.card === card ? found?.blocked : undefined
}
