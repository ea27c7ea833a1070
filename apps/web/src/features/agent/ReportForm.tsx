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
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { Select } from '../../components/Select.tsx';
import { useMutation } from '@tanstack/react-query';
import { useFormik } from 'formik';
import { Link, useNavigate } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import { useEarlyText, useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { FormFailure, toFormFailure } from '../../components/FormFailure.tsx';
import { toHeading } from '../../navigation/location-state.ts';
import { useToast } from '../../lib/toast-context.ts';

const reasons = [{ value: '', label: 'Choose a reason' }, ...reportReasonOptions];

export function ReportForm({ agent: { id } }: { agent: Agent }) {
  const { client } = useApi();
  const navigate = useNavigate();
  const showToast = useToast();
  const action = toManagePath(id, 'report');
  const report = useMutation({
    mutationFn: ({ reason, text }: { reason: string; text: string }) =>
      client.agents.report.mutate({ id, reason: reason as ReportReason, text }),
    onSuccess: async () => {
      showToast({ title: 'Report sent', message: 'Thank you. The operator will look at it.' });
      await navigate(toAgentPath(id), toHeading);
    },
  });
  const failure = toFormFailure(report, useRefusedForm()?.message);
  const { getFieldProps, handleSubmit } = useFormik({
    initialValues: { reason: useEarlyText(action, 'reason'), text: useEarlyText(action, 'text') },
    onSubmit: (values) => report.mutate(values),
  });

  return (
    <form method="post" action={action} aria-labelledby="manage-title" onSubmit={handleSubmit}>
      <Stack gap="md" maw="44rem">
        <Text>Only the operator of this registry reads your report. The entry stays as it is until then.</Text>
        <Select
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
        <FormFailure title="Not sent">{failure}</FormFailure>
        <Group gap="sm">
          <Button type="submit" size="md" disabled={report.isPending}>
            {report.isPending ? 'Sending...' : 'Send Report'}
          </Button>
          <Button component={Link} to={toAgentPath(id)} size="md" variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
