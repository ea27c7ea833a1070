/** The procedures that read and register agents. */
export declare const agentRouter: import('@trpc/server').TRPCBuiltRouter<
  {
    ctx: import('../trpc.ts').Context;
    meta: import('../trpc.ts').Meta;
    errorShape: import('@trpc/server').TRPCDefaultErrorShape;
    transformer: false;
  },
  import('@trpc/server').TRPCDecorateCreateRouterOptions<{
    list: import('@trpc/server').TRPCQueryProcedure<{
      input:
        | {
            limit?: number | undefined;
            after?: string | undefined;
          }
        | undefined;
      output: {
        id: string;
        name: string;
        description: string;
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
        capabilities: string[];
        contactEmail: string;
        website: string | null;
        pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
        apiAccess: 'no' | 'planned' | 'yes';
        rating: number;
        reviewCount: number;
        createdAt: string;
      }[];
      meta: import('../trpc.ts').Meta;
    }>;
    byCategory: import('@trpc/server').TRPCQueryProcedure<{
      input: {
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
      };
      output: {
        id: string;
        name: string;
        description: string;
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
        capabilities: string[];
        contactEmail: string;
        website: string | null;
        pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
        apiAccess: 'no' | 'planned' | 'yes';
        rating: number;
        reviewCount: number;
        createdAt: string;
      }[];
      meta: import('../trpc.ts').Meta;
    }>;
    search: import('@trpc/server').TRPCQueryProcedure<{
      input: {
        q: string;
      };
      output: {
        id: string;
        name: string;
        description: string;
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
        capabilities: string[];
        contactEmail: string;
        website: string | null;
        pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
        apiAccess: 'no' | 'planned' | 'yes';
        rating: number;
        reviewCount: number;
        createdAt: string;
      }[];
      meta: import('../trpc.ts').Meta;
    }>;
    get: import('@trpc/server').TRPCQueryProcedure<{
      input: {
        id: string;
      };
      output: {
        id: string;
        name: string;
        description: string;
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
        capabilities: string[];
        contactEmail: string;
        website: string | null;
        pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
        apiAccess: 'no' | 'planned' | 'yes';
        rating: number;
        reviewCount: number;
        createdAt: string;
      };
      meta: import('../trpc.ts').Meta;
    }>;
    register: import('@trpc/server').TRPCMutationProcedure<{
      input: {
        name: string;
        description: string;
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
        capabilities?: string[] | undefined;
        contactEmail: string;
        website?: string | null | undefined;
        pricingModel?: 'enterprise' | 'free' | 'freemium' | 'paid' | undefined;
        apiAccess?: 'no' | 'planned' | 'yes' | undefined;
      };
      output: {
        id: string;
        name: string;
        description: string;
        category: 'analytics' | 'automation' | 'chatbot' | 'creative' | 'language' | 'vision';
        capabilities: string[];
        contactEmail: string;
        website: string | null;
        pricingModel: 'enterprise' | 'free' | 'freemium' | 'paid';
        apiAccess: 'no' | 'planned' | 'yes';
        rating: number;
        reviewCount: number;
        createdAt: string;
      };
      meta: import('../trpc.ts').Meta;
    }>;
  }>
>;
