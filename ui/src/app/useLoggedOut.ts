// Leaves for the log-in page when the session was closed, here or in another tab.
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '#/api/useSession'

export function useLoggedOut() {
  const state = useSession()
  const navigate = useNavigate()
  useEffect(() => {
    if (state === 'closed') navigate({ to: '/login', search: {} })
  }, [state, navigate])
}
