import type { Examples } from '../example.ts';

export const ACCOUNT_EXAMPLES: Examples = {
  getAccount: [
    {
      summary: 'The account of the key',
      status: 200,
      answer: {
        id: 1,
        name: 'Energía Clara',
        email: 'hola@energiaclara.example',
        is_active: true,
        created_at: '2026-01-01T00:00:00.000Z',
      },
    },
  ],
  updateAccount: [
    {
      summary: 'A new name',
      body: { name: 'Energía Clara y Justa' },
      status: 200,
      answer: {
        id: 1,
        name: 'Energía Clara y Justa',
        email: 'hola@energiaclara.example',
        is_active: true,
        created_at: '2026-01-01T00:00:00.000Z',
      },
    },
    {
      summary: 'A new e-mail address',
      body: { email: 'cuentas@energiaclara.example', current_password: 'caballo-grapa-21' },
      status: 200,
      answer: {
        id: 1,
        name: 'Energía Clara',
        email: 'cuentas@energiaclara.example',
        is_active: true,
        created_at: '2026-01-01T00:00:00.000Z',
      },
    },
  ],
  changePassword: [
    {
      summary: 'A new password',
      body: { current_password: 'caballo-grapa-21', new_password: 'molino-azul-1987' },
      status: 204,
    },
  ],
  getSubscription: [
    {
      summary: 'The plan',
      status: 200,
      answer: {
        id: 1,
        plan: 'pro',
        status: 'active',
        clients_limit: 25,
        trial_ends_at: null,
        current_period_end: '2026-12-01T00:00:00.000Z',
        created_at: '2025-12-01T08:00:00.000Z',
      },
    },
  ],
  listUsage: [
    {
      summary: 'The calls of one day',
      query: { from: '2025-12-01', to: '2025-12-01', limit: 2 },
      status: 200,
      answer: {
        total: 3,
        limit: 2,
        offset: 0,
        results: [
          {
            id: 1,
            endpoint: '/v1/offers',
            method: 'GET',
            status_code: 200,
            response_time_ms: 3.2,
            client_id: null,
            created_at: '2025-12-01T08:00:00.000Z',
          },
          {
            id: 2,
            endpoint: '/v1/offers/efficient',
            method: 'POST',
            status_code: 200,
            response_time_ms: 6.1,
            client_id: null,
            created_at: '2025-12-01T08:00:00.000Z',
          },
        ],
      },
    },
  ],
  getUsageSummary: [
    {
      summary: 'One day',
      query: { from: '2025-12-01', to: '2025-12-01' },
      status: 200,
      answer: {
        from: '2025-12-01T00:00:00.000Z',
        to: '2025-12-01T23:59:59.999Z',
        total_calls: 3,
        calls_by_endpoint: [
          { endpoint: '/v1/offers', calls: 1 },
          { endpoint: '/v1/offers/efficient', calls: 1 },
          { endpoint: '/v1/offers/{id}', calls: 1 },
        ],
        p95_response_time_ms: 6.1,
      },
    },
  ],
  listUploads: [
    {
      summary: 'Those that wait',
      query: { status: 'pending' },
      status: 200,
      answer: {
        total: 1,
        limit: 50,
        offset: 0,
        results: [
          {
            id: 1,
            client_id: 1,
            kind: 'offers_bulk_update',
            file_name: 'ofertas-enero.xlsx',
            size_bytes: null,
            status: 'pending',
            result: null,
            error: null,
            created_at: '2026-01-01T00:00:21.000Z',
            updated_at: '2026-01-01T00:00:21.000Z',
            finished_at: null,
          },
        ],
      },
    },
  ],
  createUpload: [
    {
      summary: 'A file of offers is announced',
      body: { file_name: 'ofertas-febrero.xlsx', client_id: 1, kind: 'offers_bulk_update' },
      status: 201,
      answer: {
        id: 3,
        client_id: 1,
        kind: 'offers_bulk_update',
        file_name: 'ofertas-febrero.xlsx',
        size_bytes: null,
        status: 'pending',
        result: null,
        error: null,
        created_at: '2026-01-01T00:00:23.000Z',
        updated_at: '2026-01-01T00:00:23.000Z',
        finished_at: null,
      },
    },
    {
      summary: 'A file of the catalog is queued',
      form: {
        fields: { kind: 'catalog_bulk_update' },
        sheets: { borrar: [['catalog_offer_id'], [5]] },
      },
      status: 202,
    },
  ],
  getUpload: [
    {
      summary: 'By id',
      params: { id: 1 },
      status: 200,
      answer: {
        id: 1,
        client_id: 1,
        kind: 'offers_bulk_update',
        file_name: 'ofertas-enero.xlsx',
        size_bytes: null,
        status: 'pending',
        result: null,
        error: null,
        created_at: '2026-01-01T00:00:21.000Z',
        updated_at: '2026-01-01T00:00:21.000Z',
        finished_at: null,
      },
    },
  ],
  retryUpload: [
    {
      summary: 'It waits again',
      params: { id: 2 },
      status: 200,
      answer: {
        id: 2,
        client_id: 1,
        kind: 'offers_bulk_update',
        file_name: 'ofertas-diciembre.xlsx',
        size_bytes: 18432,
        status: 'pending',
        result: null,
        error: null,
        created_at: '2025-12-01T08:00:00.000Z',
        updated_at: '2026-01-01T00:00:23.000Z',
        finished_at: null,
      },
    },
  ],
  cancelUpload: [
    {
      summary: 'It is kept, cancelled',
      params: { id: 1 },
      status: 200,
      answer: {
        id: 1,
        client_id: 1,
        kind: 'offers_bulk_update',
        file_name: 'ofertas-enero.xlsx',
        size_bytes: null,
        status: 'cancelled',
        result: null,
        error: null,
        created_at: '2026-01-01T00:00:21.000Z',
        updated_at: '2026-01-01T00:00:23.000Z',
        finished_at: '2026-01-01T00:00:23.000Z',
      },
    },
  ],
};
