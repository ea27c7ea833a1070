import {
  formatCount,
  MAX_REPORT_LENGTH,
  reportReasonOptions,
  toAgentPath,
  toManagePath,
  toMaxUnits,
  type Agent,
  type ReportReason,
} from '@agent-registry/contracts';
import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useFormik } from 'formik';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { describeNetworkError, readStatus } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import { useSite } from '../../lib/site.ts';
import { useToast } from '../../lib/toast-context.ts';

const reasons = [{ value: '', label: 'Choose a reason' }, ...reportReasonOptions];

/** Reports a problem with an agent to the operator. The browser validates; without scripts the form is posted. */
export function ReportForm({ agent: { id } }: { agent: Agent }) {
  const { client } = useApi();
  const navigate = useNavigate();
  const showToast = useToast();
  const { refusal } = useSite();
  const [failure, setFailure] = useState(refusal);
  const { getFieldProps, handleSubmit, isSubmitting } = useFormik({
    initialValues: { reason: '', text: '' },
    onSubmit: async ({ reason, text }) => {
      setFailure(undefined);
      try {
        await client.agents.report.mutate({ id, reason: reason as ReportReason, text });
        showToast({ title: 'Report sent', message: 'Thank you. The operator will look at it.', variant: 'default' });
        await navigate(toAgentPath(id));
      } catch (error) {
        setFailure(readStatus(error) === undefined ? describeNetworkError() : (error as Error).message);
      }
    },
  });

  return (
    <form method="post" action={toManagePath(id, 'report')} aria-labelledby="manage-title" onSubmit={handleSubmit}>
      <Stack gap="md" maw="44rem">
        <Text>Only the operator of this registry reads your report. The entry stays as it is until then.</Text>
        <NativeSelect
          {...getFieldProps('reason')}
          id="report-reason"
          label="What is the problem?"
          data={reasons}
          size="md"
          required
        />
        <Textarea
          {...getFieldProps('text')}
          id="report-text"
          label="Details"
          description={`Optional, at most ${formatCount(MAX_REPORT_LENGTH)} characters.`}
          // Browsers count UTF-16 code units.
          maxLength={toMaxUnits(MAX_REPORT_LENGTH)}
          rows={4}
          size="md"
        />
        {failure !== undefined && (
          <Alert role="alert" color="red" title="Not sent" icon={<IconAlertCircle aria-hidden />}>
            {failure}
          </Alert>
        )}
        <Group gap="sm">
          <Button type="submit" size="md" disabled={isSubmitting}>
            {isSubmitting ? 'Sending...' : 'Send Report'}
          </Button>
          <Button component={Link} to={toAgentPath(id)} size="md" variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
