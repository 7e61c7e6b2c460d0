// Leaves for the log-in page when the session was closed, here or in another tab.
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '#/api/query'
import { useSession } from '#/api/useSession'

export function useLoggedOut() {
  const state = useSession()
  const navigate = useNavigate()
  useEffect(() => {
    if (state !== 'closed') return
    // Not before: the shell still shows the person.
    const isOf = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'features'
    void navigate({ to: '/login', search: {} }).then(() =>
      queryClient.removeQueries({ predicate: isOf }),
    )
  }, [state, navigate])
}
