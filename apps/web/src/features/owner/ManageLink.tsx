import { readManagementKey, toManagePath } from '@agent-registry/contracts';
import { Button, Container } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { readStatus, useApi } from '../../api/trpc.ts';
import { keepKey, type OwnAgent } from '../../components/owner-keys.ts';
import type { LocationState } from '../../navigation/location-state.ts';
import { useToast } from '../../lib/toast-context.ts';
import classes from './ManageLink.module.css';
import { readOwnVersion } from './use-own-version.ts';

/**
 * Moves the management key of a link to an agent from the address and the history entry into this browser's storage, once
 * the registry has said that it is the key of the agent, and says so. A link may come from anybody.
 */
export function ManageLink() {
  const { id = '' } = useParams();
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const showToast = useToast();
  const api = useApi();
  const [own, setOwn] = useState<OwnAgent>();
  // Null in a link that was cut short.
  const key = hash.startsWith('#manage=') ? (readManagementKey(hash) ?? null) : undefined;
  useEffect(() => {
    if (key === undefined) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    const moveKey = async () => {
      try {
        if (key === null) throw new Error(CUT_LINK);
        const { agent, isHeld } = await readOwnVersion(api, { id, key }, signal);
        const linked = { id, name: agent.name, category: agent.category, key, isHeld };
        keepKey(linked);
        setOwn(linked);
      } catch (error) {
        if (signal.aborted) return;
        const isWrong = key === null || [400, 401, 404, 410].includes(readStatus(error) ?? 0);
        const message = key === null ? CUT_LINK : isWrong ? WRONG_LINK : UNCHECKED_LINK;
        showToast({ title: 'Error', message, variant: 'destructive' });
        if (!isWrong) return;
      }
      const kept: LocationState = { ...(state as LocationState | null), keepScroll: true };
      await navigate({ pathname, search }, { replace: true, state: kept });
    };
    void moveKey();
    return () => aborter.abort();
  }, [id, key, api, navigate, showToast, pathname, search, state]);

  return own ? <OwnNotice own={own} /> : null;
}

function OwnNotice({ own: { id, name } }: { own: OwnAgent }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <Container size="lg" pt="sm">
      <div ref={notice} role="status" tabIndex={-1} className={classes.notice}>
        <span>
          This browser can edit <bdi>{name}</bdi> now.
        </span>
        <span className={classes.ways}>
          <Button component={Link} to={toManagePath(id, 'edit')} rel="nofollow" size="md">
            Edit
          </Button>
          <Button component={Link} to={toManagePath(id, 'withdraw')} rel="nofollow" size="md" variant="default">
            Withdraw
          </Button>
        </span>
      </div>
    </Container>
  );
}

const CUT_LINK = 'This link is not whole: its key is missing or cut short. Copy the whole link.';
const WRONG_LINK = 'The key in this link is not the key of this entry and is not kept.';
const UNCHECKED_LINK = 'The key in this link could not be checked. Reload the page to try again.';
